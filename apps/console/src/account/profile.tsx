import { MAX_AVATAR_URL } from '@firmdesk/contract';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { queryClient, trpc } from '../api.ts';
import { accountQuery, useAccount } from '../session/account.ts';
import { toast } from '../shell/toast.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { FormError, TextField } from '../ui/field.tsx';
import { fieldError, formError } from '../ui/field-errors.ts';
import { useFocusInvalid } from '../ui/focus-invalid.ts';
import { Section } from './section.tsx';

/** The name, the picture and the language of the account, in all its firms. */
export function Profile() {
  const { user, avatar_url } = useAccount();
  const [name, setName] = useState(user.name);
  const [language, setLanguage] = useState(user.language);
  const [problem, setProblem] = useState<string | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const file = useRef<HTMLInputElement>(null);
  const save = useMutation(
    trpc.account.setProfile.mutationOptions({
      async onSuccess() {
        toast.success('Profile saved');
        await queryClient.invalidateQueries({ queryKey: accountQuery().queryKey });
        await queryClient.invalidateQueries({ queryKey: trpc.tickets.desk.queryKey() });
      },
    }),
  );
  useFocusInvalid(form, save.isPending);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ name, language });
  };
  const choose = async (chosen: File) => {
    const avatar = await dataUrlOf(chosen);
    setProblem(avatar.length > MAX_AVATAR_URL ? 'Choose a picture of at most 700 kB.' : null);
    if (avatar.length <= MAX_AVATAR_URL) save.mutate({ avatar });
  };
  return (
    <Section title="Profile" anchor="profile" description="Colleagues and traders see your name and picture.">
      <form ref={form} onSubmit={submit} noValidate className="max-w-sm space-y-4 p-4">
        <div className="flex items-center gap-3">
          <Avatar name={user.name} url={avatar_url} />
          <input
            ref={file}
            type="file"
            hidden
            accept="image/png,image/jpeg,image/gif,image/webp,image/avif"
            aria-label="Picture"
            onChange={({ target }) => {
              const [chosen] = target.files ?? [];
              target.value = '';
              if (chosen) void choose(chosen);
            }}
          />
          <Button disabled={save.isPending} onClick={() => file.current?.click()}>
            Choose a picture…
          </Button>
          {avatar_url && (
            <Button variant="quiet" disabled={save.isPending} onClick={() => save.mutate({ avatar: null })}>
              Remove
            </Button>
          )}
        </div>
        <TextField
          label="Name"
          required
          autoComplete="name"
          maxLength={100}
          value={name}
          error={fieldError(save.error, 'name', 'The name')}
          onChange={({ target }) => setName(target.value)}
        />
        <TextField
          label="Language"
          required
          autoComplete="off"
          hint="Of mail and notifications, such as en or pt-BR."
          value={language}
          error={fieldError(save.error, 'language', 'The language')}
          onChange={({ target }) => setLanguage(target.value)}
        />
        <FormError message={problem ?? formError(save.error, ['name', 'language'])} />
        <Button
          type="submit"
          variant="solid"
          disabled={save.isPending || (name === user.name && language === user.language)}
        >
          {save.isPending ? 'Saving…' : 'Save'}
        </Button>
      </form>
    </Section>
  );
}

function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
