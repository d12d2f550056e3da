export function NoTicket() {
  return null;
}
