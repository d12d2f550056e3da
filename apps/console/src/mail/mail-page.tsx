export function MailPage() {
  return null;
}
