import type { SignInDomain, SingleSignOn } from '@firmdesk/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Section } from '../../account/section.tsx';
import { queryClient, trpc } from '../../api.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { FormError, TextField } from '../../ui/fields/field.tsx';
import { fieldError, formError } from '../../ui/fields/field-errors.ts';
import { Form } from '../../ui/form.tsx';

const showSettings = (changed: SingleSignOn) =>
  queryClient.setQueryData(trpc.singleSignOn.get.queryKey(), changed);

/** The domains of mail of the firm, each with the DNS record that proves it. */
export function Domains({ domains }: { domains: readonly SignInDomain[] }) {
  const [domain, setDomain] = useState('');
  const add = useMutation(
    trpc.singleSignOn.addDomain.mutationOptions({
      onSuccess(changed) {
        showSettings(changed);
        setDomain('');
      },
    }),
  );
  const verify = useMutation(trpc.singleSignOn.verifyDomain.mutationOptions({ onSuccess: showSettings }));
  const remove = useMutation(trpc.singleSignOn.removeDomain.mutationOptions({ onSuccess: showSettings }));
  return (
    <Section title="Domains" description="Addresses at these domains sign in by the provider.">
      <ul className="divide-y divide-line">
        {domains.map((each) => (
          <li key={each.domain} className="flex flex-wrap items-center justify-between gap-4 px-4 py-3">
            <div className="min-w-0">
              <p className="flex items-center gap-2 font-medium">
                {each.domain}
                {each.verified_at ? (
                  <Badge tone="success">Verified</Badge>
                ) : (
                  <Badge tone="warning">Not verified</Badge>
                )}
              </p>
              {!each.verified_at && (
                <p className="text-muted">
                  Add the TXT record <code className="break-all select-all">{each.record_name}</code> with the
                  text <code className="break-all select-all">{each.record_text}</code>
                </p>
              )}
            </div>
            <div className="flex gap-2">
              {!each.verified_at && (
                <Button
                  aria-label={`Verify ${each.domain}`}
                  disabled={verify.isPending}
                  onClick={() => verify.mutate({ domain: each.domain })}
                >
                  Verify
                </Button>
              )}
              <Button
                variant="danger"
                aria-label={`Remove ${each.domain}`}
                disabled={remove.isPending}
                onClick={() => remove.mutate({ domain: each.domain })}
              >
                Remove
              </Button>
            </div>
          </li>
        ))}
      </ul>
      <Form
        isBusy={add.isPending}
        className="space-y-4 p-4"
        onSubmit={() => {
          add.mutate({ domain: domain.trim().toLowerCase() });
        }}
      >
        <TextField
          label="Domain"
          autoComplete="off"
          hint="For example example.com."
          value={domain}
          error={fieldError(add.error, 'domain', 'The domain')}
          onChange={({ target }) => setDomain(target.value)}
        />
        <FormError
          message={formError(verify.error ?? remove.error ?? add.error, add.error ? ['domain'] : [])}
        />
        <Button type="submit" disabled={domain.trim() === '' || add.isPending}>
          Add
        </Button>
      </Form>
    </Section>
  );
}
