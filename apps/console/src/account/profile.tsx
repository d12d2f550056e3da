import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient, trpc } from '../api.ts';
import { accountQuery, useAccount } from '../session/account.ts';
import { toast } from '../shell/toast.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { FormError, TextField } from '../ui/fields/field.tsx';
import { fieldError, formError } from '../ui/fields/field-errors.ts';
import { Form } from '../ui/form.tsx';
import { PictureChoice } from '../ui/picture-choice.tsx';
import { Section } from './section.tsx';

/** The name, the picture and the language of the account, in all its firms. */
export function Profile() {
  const { user, avatar_url } = useAccount();
  const [name, setName] = useState(user.name);
  const [language, setLanguage] = useState(user.language);
  const options = trpc.account.setProfile.mutationOptions({
    async onSuccess() {
      toast.success('Profile saved');
      await queryClient.invalidateQueries({ queryKey: accountQuery().queryKey });
      await queryClient.invalidateQueries({ queryKey: trpc.tickets.desk.queryKey() });
    },
  });
  const save = useMutation(options);
  const picture = useMutation(options);
  const submit = () => {
    save.mutate({ name, language });
  };
  return (
    <Section title="Profile" anchor="profile" description="Colleagues and traders see your name and picture.">
      <Form isBusy={save.isPending} onSubmit={submit} className="max-w-sm space-y-4 p-4">
        <PictureChoice
          label="Picture"
          accept="image/png,image/jpeg,image/gif,image/webp,image/avif"
          isBusy={picture.isPending}
          hasPicture={avatar_url !== null}
          problem={formError(picture.error, [])}
          onChoose={(avatar) => picture.mutate({ avatar })}
        >
          <Avatar name={user.name} url={avatar_url} />
        </PictureChoice>
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
        <FormError message={formError(save.error, ['name', 'language'])} />
        <Button
          type="submit"
          variant="solid"
          disabled={save.isPending || (name === user.name && language === user.language)}
        >
          {save.isPending ? 'Saving…' : 'Save'}
        </Button>
      </Form>
    </Section>
  );
}
