import { singleKeysOn } from '../keyboard/shortcuts.ts';
import { useStoredValue } from '../stored-value.ts';
import { theme, themeLabels, themes } from '../theme.ts';
import { streamedReplies } from '../tickets/conversation/streamed-replies.ts';
import { delaysSends } from '../tickets/sending/delayed-sends.ts';
import { SelectField } from '../ui/fields/select-field.tsx';
import { Switch } from '../ui/fields/switch.tsx';
import { Section } from './section.tsx';

/** Preferences that are stored in this browser. */
export function Preferences() {
  const chosenTheme = useStoredValue(theme);
  const areKeysOn = useStoredValue(singleKeysOn);
  const areSendsDelayed = useStoredValue(delaysSends);
  const areRepliesStreamed = useStoredValue(streamedReplies);
  return (
    <Section title="This browser" anchor="browser" description="Saved in this browser, not in your account.">
      <div className="space-y-4 p-4">
        <SelectField
          label="Theme"
          className="w-48"
          value={chosenTheme}
          choices={themes.map((each) => [each, themeLabels[each]])}
          onValue={(value) => theme.set(value)}
        />
        <Switch
          label="Single-key shortcuts"
          hint="When off, only Esc and shortcuts with Ctrl or ⌘ work."
          isOn={areKeysOn}
          onChange={(isOn) => singleKeysOn.set(isOn)}
        />
        <Switch
          label="Undo send"
          hint="Delays each reply for 8 seconds, so that you can undo it."
          isOn={areSendsDelayed}
          onChange={(isOn) => delaysSends.set(isOn)}
        />
        <Switch
          label="Stream replies"
          hint="When off, the assistant’s replies appear once finished."
          isOn={areRepliesStreamed}
          onChange={(isOn) => streamedReplies.set(isOn)}
        />
      </div>
    </Section>
  );
}
