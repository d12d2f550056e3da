import { type Macro, macroTextIn, macroValues, type TicketWithCan } from '@firmdesk/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAccount } from '../session/account.ts';
import { useSupportDirectory } from '../tickets/properties/use-support-directory.ts';
import { Badge } from '../ui/badge.tsx';
import { languageName } from '../ui/display-names.ts';
import { SelectField } from '../ui/fields/select-field.tsx';
import { Picker, PickerItem } from '../ui/overlays/picker.tsx';
import { ErrorState } from '../ui/states.tsx';
import { describeActions } from './describe-actions.ts';
import { withMacro } from './draft-macros.ts';
import { fillText } from './fill-macro.ts';
import { findMacros } from './find-macros.ts';
import { languagesOf } from './languages.ts';
import { macrosQuery } from './macro-queries.ts';

export interface MacroPickerProps {
  ticket: TicketWithCan;
  /** Whether the changes of a macro are made: a note makes none. */
  hasActions: boolean;
  onInsert(macro: Macro, text: string): void;
  onClose(): void;
}

/** Finds a macro by name or text, and shows what is inserted and changed. */
export function MacroPicker({ ticket, hasActions, onInsert, onClose }: MacroPickerProps) {
  const { data, isPending, error, refetch } = useQuery(macrosQuery('usable'));
  const [search, setSearch] = useState('');
  const [language, setLanguage] = useState(ticket.trader_language);
  const macros = data ?? [];
  const found = findMacros(macros, search);
  const [chosen, setChosen] = useState('');
  const shown = found.find(({ id }) => id === chosen) ?? found[0];
  const languages = languagesOf(macros, ticket.trader_language);
  return (
    <Picker
      title="Insert a macro"
      placeholder="Search macros by name or text"
      text={search}
      onText={setSearch}
      highlighted={{ value: shown?.id ?? '', onValueChange: setChosen }}
      empty={
        error && !data ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : isPending ? (
          <span role="status">
            {navigator.onLine ? 'Loading macros…' : 'You’re offline. Macros load once you’re back online.'}
          </span>
        ) : macros.length === 0 ? (
          'The firm has no macros'
        ) : (
          'No results'
        )
      }
      footer={
        <>
          {shown && <Preview macro={shown} ticket={ticket} language={language} hasActions={hasActions} />}
          <footer className="flex flex-wrap items-center gap-3 border-t border-line px-4 py-2">
            {languages.length > 1 && (
              <SelectField
                label="Language"
                isLabelHidden
                className="w-48"
                value={language}
                choices={languages.map((each) => [
                  each,
                  each === ticket.trader_language
                    ? `${languageName(each)} (${ticket.trader.name})`
                    : languageName(each),
                ])}
                onValue={setLanguage}
              />
            )}
            <Link
              to="/settings/macros"
              onClick={onClose}
              className="ml-auto inline-flex min-h-6 items-center text-xs text-accent underline pointer-coarse:min-h-11"
            >
              Manage macros
            </Link>
          </footer>
        </>
      }
      onClose={onClose}
    >
      {found.map((macro) => (
        <PickerItem
          key={macro.id}
          id={macro.id}
          onChoose={() => onInsert(macro, macroTextIn(macro, language).text)}
        >
          <span className="max-w-3/5 shrink-0 truncate font-medium">{macro.name}</span>
          <span className="min-w-0 flex-1 truncate text-muted">{macroTextIn(macro, language).text}</span>
          {macro.team && <Badge>{macro.team.name}</Badge>}
        </PickerItem>
      ))}
    </Picker>
  );
}

/** What is inserted, and what is changed when the reply is sent. */
function Preview({
  macro,
  ticket,
  language,
  hasActions,
}: {
  macro: Macro;
  ticket: TicketWithCan;
  language: string;
  hasActions: boolean;
}) {
  const { user, workspace } = useAccount();
  const directory = useSupportDirectory();
  const { text, language: shownIn } = macroTextIn(macro, language);
  const actions = describeActions(withMacro(null, macro, user.id).actions, directory);
  return (
    <section
      aria-label="Preview"
      // It scrolls, so the keyboard must reach it.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region needs the focus to be scrolled by keys
      tabIndex={0}
      className="max-h-40 shrink-0 overflow-y-auto border-t border-line px-4 py-2.5"
    >
      <p lang={shownIn} className="paragraphs">
        {fillText(text, macroValues(ticket, user.name, workspace.name))}
      </p>
      {actions.length > 0 && (
        <p className="mt-2 text-xs text-muted">
          {hasActions ? 'Changed when sent: ' : 'Changed only with a reply: '}
          {actions.map(({ label }) => label).join(', ')}
        </p>
      )}
    </section>
  );
}
