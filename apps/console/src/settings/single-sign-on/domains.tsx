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
import { MenuItem, MenuSeparator } from '../../ui/overlays/menu.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { SettingsTable } from '../settings-table.tsx';

const showSettings = (changed: SingleSignOn) =>
  queryClient.setQueryData(trpc.singleSignOn.get.queryKey(), changed);

const stateOf = ({ verified_at }: SignInDomain) => (verified_at ? 'Verified' : 'Not verified');

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
      <div className="p-2 sm:p-4">
        <SettingsTable
          caption="Domains of the firm, by name"
          rows={domains}
          idOf={({ domain: name }) => name}
          nameOf={({ domain: name }) => name}
          textOf={({ domain: name }) => name}
          columns={[
            {
              label: 'Domain name',
              sortBy: ({ domain: name }) => name,
              cell: ({ domain: name, verified_at, record_name, record_text }) => (
                <>
                  <span className="block font-medium wrap-anywhere">{name}</span>
                  {!verified_at && (
                    <span className="block text-muted">
                      Add the TXT record <code className="break-all select-all">{record_name}</code> with the
                      text <code className="break-all select-all">{record_text}</code>, then verify it.
                    </span>
                  )}
                </>
              ),
            },
            {
              label: 'State',
              className: 'w-32',
              sortBy: stateOf,
              cell: (each) => <Badge tone={each.verified_at ? 'success' : 'warning'}>{stateOf(each)}</Badge>,
            },
          ]}
          actions={({ domain: name, verified_at }) => (
            <>
              {!verified_at && (
                <>
                  <MenuItem isDisabled={verify.isPending} onSelect={() => verify.mutate({ domain: name })}>
                    Verify
                  </MenuItem>
                  <MenuSeparator />
                </>
              )}
              <MenuItem isDanger onSelect={() => remove.mutate({ domain: name })}>
                Remove
              </MenuItem>
            </>
          )}
          empty={
            <EmptyState title="No domains yet">
              Members whose address is at none use their password.
            </EmptyState>
          }
        />
      </div>
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
