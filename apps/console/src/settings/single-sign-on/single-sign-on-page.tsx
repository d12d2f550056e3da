import type { SingleSignOn } from '@firmdesk/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Section } from '../../account/section.tsx';
import { queryClient, trpc } from '../../api.ts';
import { useAccount } from '../../session/account.ts';
import { toast } from '../../shell/toast.ts';
import { Button } from '../../ui/button.tsx';
import { FormError, TextField } from '../../ui/fields/field.tsx';
import { fieldError, formError } from '../../ui/fields/field-errors.ts';
import { named, SelectField } from '../../ui/fields/select-field.tsx';
import { Form } from '../../ui/form.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { ErrorState, LoadingRows } from '../../ui/states.tsx';
import { Domains } from './domains.tsx';

/** Shows what a change has answered. */
const showSettings = (changed: SingleSignOn) =>
  queryClient.setQueryData(trpc.singleSignOn.get.queryKey(), changed);

/** How members sign in to the firm: by its OpenID provider, and only so. */
export function SingleSignOnPage() {
  const settings = useQuery(trpc.singleSignOn.get.queryOptions());
  const { data } = settings;
  return (
    <Page title="Sign-in">
      <div className="mx-auto max-w-3xl space-y-4 p-4">
        <p className="text-muted">
          Members can sign in with your company’s identity provider, by OpenID Connect. An account there is
          linked with the member whose address it has verified, at a domain below.
        </p>
        {data ? (
          <>
            <ProviderForm settings={data} />
            <Domains domains={data.domains} />
            {data.provider && <Requirement settings={data} />}
          </>
        ) : settings.isError ? (
          <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />
        ) : (
          <LoadingRows label="Loading sign-in settings" rows={3} />
        )}
      </div>
    </Page>
  );
}

function ProviderForm({ settings: { provider, redirect_url } }: { settings: SingleSignOn }) {
  const [issuer, setIssuer] = useState(provider?.issuer ?? '');
  const [clientId, setClientId] = useState(provider?.client_id ?? '');
  const [secret, setSecret] = useState('');
  const [isRemoving, setRemoving] = useState(false);
  const save = useMutation(
    trpc.singleSignOn.saveProvider.mutationOptions({
      onSuccess(saved) {
        showSettings(saved);
        setSecret('');
        toast.success('Provider saved');
      },
    }),
  );
  const remove = useMutation(
    trpc.singleSignOn.removeProvider.mutationOptions({
      onSuccess(saved) {
        showSettings(saved);
        toast.success('Provider removed');
      },
    }),
  );
  return (
    <Section
      title="Provider"
      description={`Register this redirect URL there: ${redirect_url}`}
      actions={
        provider && (
          <Button variant="danger" disabled={remove.isPending} onClick={() => setRemoving(true)}>
            Remove
          </Button>
        )
      }
    >
      <Form
        isBusy={save.isPending}
        className="space-y-4 p-4"
        onSubmit={() => {
          save.mutate({ issuer, client_id: clientId, ...(secret !== '' && { client_secret: secret }) });
        }}
      >
        <TextField
          label="Issuer"
          type="url"
          hint="The address of the provider, such as https://login.example.com."
          value={issuer}
          error={fieldError(save.error, 'issuer', 'The issuer')}
          onChange={({ target }) => setIssuer(target.value)}
        />
        <TextField
          label="Client id"
          autoComplete="off"
          value={clientId}
          error={fieldError(save.error, 'client_id', 'The client id')}
          onChange={({ target }) => setClientId(target.value)}
        />
        <TextField
          label="Client secret"
          type="password"
          autoComplete="off"
          {...(provider && { hint: 'Leave empty to keep the stored one.' })}
          value={secret}
          error={fieldError(save.error, 'client_secret', 'The client secret')}
          onChange={({ target }) => setSecret(target.value)}
        />
        <FormError
          message={formError(save.error ?? remove.error, ['issuer', 'client_id', 'client_secret'])}
        />
        <Button type="submit" variant="solid" disabled={save.isPending}>
          {save.isPending ? 'Asking the provider…' : 'Save'}
        </Button>
      </Form>
      <ConfirmDialog
        title="Remove the provider?"
        confirmLabel="Remove"
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        onConfirm={() => remove.mutate()}
      >
        Members sign in with their passwords and passkeys again.
      </ConfirmDialog>
    </Section>
  );
}

function Requirement({
  settings: { is_required, break_glass, break_glass_choices: choices },
}: {
  settings: SingleSignOn;
}) {
  const { user } = useAccount();
  const [chosen, setChosen] = useState(
    () => (choices.find(({ id }) => id === user.id) ?? choices[0])?.id ?? '',
  );
  const [isAsking, setAsking] = useState(false);
  const require = useMutation(trpc.singleSignOn.require.mutationOptions({ onSuccess: showSettings }));
  return (
    <Section
      title="Required"
      description="Members sign in by the provider only. One administrator can still use a password, in case the provider fails."
      actions={
        is_required ? (
          <Button
            disabled={require.isPending}
            onClick={() => require.mutate({ is_required: false, break_glass: null })}
          >
            Allow other ways
          </Button>
        ) : (
          <Button disabled={require.isPending} onClick={() => setAsking(true)}>
            Require the provider
          </Button>
        )
      }
    >
      <div className="space-y-4 p-4">
        <p>
          {is_required
            ? `Required. ${break_glass?.name ?? 'Nobody'} can sign in without the provider.`
            : 'Not required.'}
        </p>
        {!is_required && (
          <SelectField
            label="Who can still use a password"
            value={chosen}
            choices={named(choices)}
            onValue={setChosen}
          />
        )}
        <FormError message={formError(require.error, [])} />
      </div>
      <ConfirmDialog
        title="Require the provider?"
        confirmLabel="Require"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => require.mutate({ is_required: true, break_glass: chosen })}
      >
        All other members are signed out and sign in by the provider. Only{' '}
        {choices.find(({ id }) => id === chosen)?.name ?? 'nobody'} can still sign in with a password, which
        must be kept safe.
      </ConfirmDialog>
    </Section>
  );
}
