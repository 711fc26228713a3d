/** The objects that a rollout command is about. */
import type { Failures } from '../../acting/failures'
import { LABELS_FLAG, RECURSIVE_FLAG } from '../../acting/flags'
import { type FoundObject, foundObjects } from '../../acting/objects'
import type { Context, Flag, Invocation } from '../../command'
import { CommandError } from '../../errors'
import { select } from '../../targets'
import { FILE_FLAGS } from '../common-flags'

export const CHOICE_FLAGS: readonly Flag[] = [...FILE_FLAGS, LABELS_FLAG, RECURSIVE_FLAG]

/** @throws CommandError without an object */
export async function chosen(
  context: Context,
  { args, flags }: Invocation,
  failures: Failures,
): Promise<FoundObject[]> {
  if (args.length === 0 && !flags.has('filename'))
    throw new CommandError('required resource not specified')
  const selection = await select(context, {
    args,
    files: flags.list('filename'),
    selector: flags.text('selector') || undefined,
    typeAlone: true,
  })
  const found: FoundObject[] = []
  for await (const target of foundObjects(context, selection, failures)) found.push(target)
  return found
}
