import { type AssistantGuide, MAX_ASSISTANT_RULES, ticketPriorities } from '@firmdesk/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient, trpc } from '../../api.ts';
import { toast } from '../../shell/toast.ts';
import { priorityLabels } from '../../tickets/properties/ticket-labels.ts';
import { Button } from '../../ui/button.tsx';
import { FormError, TextAreaField, TextField } from '../../ui/fields/field.tsx';
import { fieldError, formError } from '../../ui/fields/field-errors.ts';
import { Form } from '../../ui/form.tsx';
import { ErrorState, LoadingRows } from '../../ui/states.tsx';

/** How the assistant answers, and when it hands over to the team. */
export function Guide({ canManage }: { canManage: boolean }) {
  const guide = useQuery(trpc.knowledge.guide.queryOptions());
  return (
    <section aria-labelledby="guide" className="space-y-4 rounded-lg border border-line bg-surface p-4">
      <h2 id="guide" className="font-semibold">
        Tone and rules
      </h2>
      {guide.data ? (
        <GuideForm guide={guide.data} canManage={canManage} />
      ) : guide.isError ? (
        <ErrorState error={guide.error} onRetry={() => void guide.refetch()} />
      ) : (
        <LoadingRows label="Loading the rules" rows={3} />
      )}
    </section>
  );
}

const partsOf = (text: string, separator: RegExp) =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter(Boolean);

function GuideForm({ guide, canManage }: { guide: AssistantGuide; canManage: boolean }) {
  const stored = {
    rules: guide.rules,
    languages: guide.languages.join(', '),
    words: guide.hand_over.words.join('\n'),
    priorities: guide.hand_over.priorities as readonly string[],
    after: guide.hand_over.after_replies === null ? '' : String(guide.hand_over.after_replies),
  };
  const [typed, setTyped] = useState<Partial<typeof stored>>({});
  const { rules, languages, words, priorities, after } = { ...stored, ...typed };
  const type = (change: Partial<typeof stored>) => setTyped({ ...typed, ...change });
  const save = useMutation(
    trpc.knowledge.setGuide.mutationOptions({
      onSuccess(saved) {
        setTyped({});
        queryClient.setQueryData(trpc.knowledge.guide.queryKey(), saved);
        toast.success('Rules saved');
      },
    }),
  );
  const submit = () => {
    save.mutate({
      rules,
      languages: partsOf(languages, /,/),
      hand_over: {
        words: partsOf(words, /\n/),
        priorities: ticketPriorities.filter((priority) => priorities.includes(priority)),
        after_replies: after.trim() === '' ? null : Number(after),
      },
    });
  };
  const errorOf = (field: string, name: string) => fieldError(save.error, field, name);
  return (
    <Form isBusy={save.isPending} onSubmit={submit} className="space-y-4">
      <fieldset disabled={!canManage} className="space-y-4">
        <TextAreaField
          label="Tone and rules"
          rows={4}
          maxLength={MAX_ASSISTANT_RULES}
          hint="For example how to greet, and what never to promise."
          value={rules}
          error={errorOf('rules', 'The text')}
          onChange={({ target }) => type({ rules: target.value })}
        />
        <TextField
          label="Languages"
          autoComplete="off"
          hint="Tags with commas between, the first one for all other traders: en, de. Empty for all languages."
          value={languages}
          error={errorOf('languages', 'The languages')}
          onChange={({ target }) => type({ languages: target.value })}
        />
        <fieldset className="space-y-3 rounded-lg border border-line p-3">
          <legend className="px-1 font-medium">Hand over to the team</legend>
          <TextAreaField
            label="When the trader writes one of these"
            rows={3}
            hint="One word or phrase in each line."
            value={words}
            error={errorOf('hand_over.words', 'The words')}
            onChange={({ target }) => type({ words: target.value })}
          />
          <div className="flex flex-wrap gap-x-4">
            {ticketPriorities.map((priority) => (
              <label
                key={priority}
                className="inline-flex min-h-8 items-center gap-2 pointer-coarse:min-h-11"
              >
                <input
                  type="checkbox"
                  className="size-4"
                  checked={priorities.includes(priority)}
                  onChange={({ target }) =>
                    type({
                      priorities: target.checked
                        ? [...priorities, priority]
                        : priorities.filter((one) => one !== priority),
                    })
                  }
                />
                Priority {priorityLabels[priority].toLowerCase()}
              </label>
            ))}
          </div>
          <TextField
            label="After this many replies"
            type="number"
            inputMode="numeric"
            min={1}
            max={50}
            className="w-48"
            value={after}
            error={errorOf('hand_over.after_replies', 'The number')}
            onChange={({ target }) => type({ after: target.value })}
          />
        </fieldset>
        <FormError message={formError(save.error, ['rules', 'languages', 'hand_over'])} />
        {canManage && (
          <Button type="submit" variant="solid" disabled={save.isPending || Object.keys(typed).length === 0}>
            Save rules
          </Button>
        )}
      </fieldset>
    </Form>
  );
}
