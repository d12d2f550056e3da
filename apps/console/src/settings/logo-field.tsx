import { useMutation } from '@tanstack/react-query';
import { queryClient, trpc } from '../api.ts';
import { accountQuery } from '../session/account.ts';
import { toast } from '../shell/toast.ts';
import { formError } from '../ui/fields/field-errors.ts';
import { FirmLogo } from '../ui/firm-logo.tsx';
import { PictureChoice } from '../ui/picture-choice.tsx';

/** The firm's logo, which is saved as soon as it is chosen. */
export function LogoField({ url }: { url: string | null }) {
  const save = useMutation(
    trpc.firm.settings.set.mutationOptions({
      async onSuccess(saved) {
        queryClient.setQueryData(trpc.firm.settings.get.queryKey(), saved);
        toast.success(saved.logo_url === null ? 'Logo removed' : 'Logo saved');
        await queryClient.invalidateQueries({ queryKey: accountQuery().queryKey });
      },
    }),
  );
  return (
    <fieldset>
      <legend className="mb-1 font-medium">Logo</legend>
      <PictureChoice
        label="Logo"
        accept="image/png,image/jpeg,image/webp"
        isBusy={save.isPending}
        hasPicture={url !== null}
        problem={formError(save.error, [])}
        onChoose={(logo) => save.mutate({ logo })}
      >
        <FirmLogo url={url} className="h-12 max-w-48 border border-line" />
      </PictureChoice>
      <p className="mt-1 text-muted">
        PNG, JPEG or WebP. It stands in the console, on the pages of invites and of ratings, and in mail that
        the firm sends by itself.
      </p>
    </fieldset>
  );
}
