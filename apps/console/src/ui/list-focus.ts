import { giveFocus, OVERLAY } from './overlays/overlay-focus.ts';

/** Marks the controls of a list of one kind, such as the buttons that delete a row. */
const CONTROL = '[data-list-control]';

/**
 * The `ref` of a page with lists whose rows can be removed. If a control of a list is removed while it has the focus, or a dialog that it
 * opened has it, the focus goes to the same control of the next row, else of the previous one, else to the heading of the list.
 */
export function keepFocusInLists(page: HTMLElement | null): (() => void) | undefined {
  if (!page) return;
  let last: HTMLElement | null = null;
  /** The controls of its list, as they were last seen. */
  let controls: HTMLElement[] = [];
  let heading: HTMLElement | null = null;
  const find = () =>
    last && [...page.querySelectorAll<HTMLElement>(CONTROL)].filter((each) => kindOf(each) === kindOf(last!));

  const onFocusIn = ({ target }: FocusEvent) => {
    if (!(target instanceof Element) || target.closest(OVERLAY)) return;
    last = page.contains(target) ? target.closest<HTMLElement>(CONTROL) : null;
    controls = find() ?? [];
    heading = last?.closest('section')?.querySelector('h2') ?? page.querySelector('h1');
  };
  const onChange = () => {
    if (!last) return;
    if (last.isConnected) {
      controls = find() ?? [];
      return;
    }
    const at = controls.indexOf(last);
    const next =
      controls.slice(at + 1).find((each) => each.isConnected) ??
      controls.slice(0, at).findLast((each) => each.isConnected);
    last = null;
    if (next) giveFocus(next);
    else if (heading?.isConnected) {
      heading.tabIndex = -1;
      giveFocus(heading);
    }
  };
  const observer = new MutationObserver(onChange);
  observer.observe(page, { childList: true, subtree: true });
  document.addEventListener('focusin', onFocusIn);
  return () => {
    observer.disconnect();
    document.removeEventListener('focusin', onFocusIn);
  };
}

function kindOf({ dataset }: HTMLElement): string | undefined {
  return dataset['listControl'];
}
