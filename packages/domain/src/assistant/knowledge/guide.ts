import type { AssistantGuide, AssistantGuideSettings } from '@firmdesk/contract';
import { recordAudit } from '../../access/audit/audit.ts';
import { Workspace } from '../../access/workspaces/workspace.entity.ts';
import type { AccountContext } from '../../procedures/call-context.ts';

const NONE: AssistantGuideSettings = {
  rules: '',
  languages: [],
  hand_over: { words: [], priorities: [], after_replies: null },
};

/** Returns how the firm's assistant answers. */
export async function getGuide({ em, workspace }: AccountContext): Promise<AssistantGuide> {
  const { assistantGuide } = await em.findOneOrFail(Workspace, workspace.id, {
    populate: ['assistantGuide'],
  });
  return { object: 'assistant_guide', ...(assistantGuide ?? NONE) };
}

/** Replaces how the firm's assistant answers. It holds for replies that begin afterwards. */
export async function setGuide(ctx: AccountContext, guide: AssistantGuideSettings): Promise<AssistantGuide> {
  const firm = await ctx.em.findOneOrFail(Workspace, ctx.workspace.id, { populate: ['assistantGuide'] });
  const before = firm.assistantGuide ?? NONE;
  firm.assistantGuide = guide;
  await ctx.em.flush();
  // Words and rules are texts, which the trail does not have.
  const recorded = ({ languages, hand_over: { priorities, after_replies } }: AssistantGuideSettings) => ({
    languages,
    priorities,
    after_replies,
  });
  await recordAudit({ ...ctx, actor: { kind: 'account', id: ctx.identity.user.id } }, ctx.workspace.id, {
    action: 'firm.assistant_changed',
    target: { type: 'firm', id: ctx.workspace.slug },
    before: recorded(before),
    after: recorded(guide),
  });
  return { object: 'assistant_guide', ...guide };
}
