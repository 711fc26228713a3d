/** `kubectl rollout history`. */
import { isJsonObject } from '../../../engine/core/object'
import { Failures } from '../../acting/failures'
import type { FoundObject } from '../../acting/objects'
import type { Command, Context, FlagValues } from '../../command'
import { alignColumns } from '../../describe/aligned-columns'
import { podTemplate } from '../../describe/pod-parts'
import { Report } from '../../describe/report'
import { CommandError } from '../../errors'
import { nameOf, OUTPUT_FLAGS, printerOf } from '../../output/printer'
import { CHOICE_FLAGS, chosen } from './choice'
import { type Revision, revisionsOf } from './history'

export const HISTORY: Command = {
  name: 'history',
  summary: 'View rollout history',
  usage: 'rollout history (TYPE NAME | TYPE/NAME) [flags]',
  examples: [
    {
      line: 'kubectl rollout history deployment/web',
      about: 'View the rollout history of a deployment',
    },
    {
      line: 'kubectl rollout history deployment/web --revision=2',
      about: 'View the details of revision 2',
    },
  ],
  completes: 'objects',
  flags: [
    ...CHOICE_FLAGS,
    ...OUTPUT_FLAGS,
    {
      name: 'revision',
      type: 'number',
      default: '0',
      about: 'See the details, including podTemplate of the revision specified.',
    },
  ],
  async run(context, invocation) {
    const { flags } = invocation
    const failures = new Failures()
    for (const target of await chosen(context, invocation, failures)) {
      await failures.during(() => showHistory(context, target, flags))
    }
    failures.throwIfAny()
    return 0
  },
}

async function showHistory(
  context: Context,
  target: FoundObject,
  flags: FlagValues,
): Promise<void> {
  const revisions = await revisionsOf(context, target).catch((error: unknown) => {
    throw error instanceof CommandError
      ? new CommandError(
          `error retrieving history for ${JSON.stringify(target.resource.kind)}, ${error.message}`,
        )
      : error
  })
  const number = flags.number('revision')
  const chosenRevisions =
    number === 0 ? revisions : revisions.filter((revision) => revision.number === number)
  if (number !== 0 && chosenRevisions.length === 0)
    throw new CommandError('unable to find the specified revision')
  if (flags.text('output') !== '') {
    const printer = printerOf(flags)
    for (const { object } of chosenRevisions) context.out(printer.print(object))
    return
  }
  const name = nameOf(target.object)
  if (number === 0) context.out(`${name} \n${revisionTable(revisions)}\n`)
  else
    context.out(
      `${name} with revision #${number}\n${templateText(chosenRevisions[0] as Revision, chosenRevisions[0]?.cause)}\n`,
    )
}

function revisionTable(revisions: Revision[]): string {
  if (revisions.length === 0) return 'No rollout history found.'
  const rows = revisions.map(({ number, cause }) => `${number}\t${cause || '<none>'}\n`)
  return alignColumns(`REVISION\tCHANGE-CAUSE\n${rows.join('')}`)
}

/** @param cause the change cause, from the annotation */
export function templateText({ template }: Revision, cause = ''): string {
  const { annotations = {}, ...metadata } = (
    isJsonObject(template.metadata) ? template.metadata : {}
  ) as {
    annotations?: Record<string, string>
  }
  const report = new Report()
  const shown = cause === '' ? annotations : { ...annotations, 'kubernetes.io/change-cause': cause }
  podTemplate(report, { ...template, metadata: { ...metadata, annotations: shown } } as Parameters<
    typeof podTemplate
  >[1])
  return report.unaligned()
}
