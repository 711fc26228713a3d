/** `kubectl edit`: an object in an editor, and what it has become sent back. */
import { toYaml } from '../../engine/encoding/yaml'
import { MEDIA_TYPE } from '../../engine/names'
import { isJsonObject, type JsonObject } from '../../engine/object'
import { Failures } from '../acting/failures'
import { fieldManagerFlag, fieldValidationOf, RECURSIVE_FLAG, VALIDATE_FLAG } from '../acting/flags'
import { type FoundObject, foundObjects } from '../acting/objects'
import { mergePatchOf } from '../acting/patches'
import { Results } from '../acting/results'
import { pathWith } from '../client'
import type { Command, Context, FlagValues } from '../command'
import { qualifiedName } from '../discovery'
import { CommandError } from '../errors'
import { objectsOf } from '../manifests'
import { OUTPUT_FLAGS } from '../output/printer'
import { pathOfTarget, select } from '../targets'
import { FILE_FLAGS } from './common-flags'

const HEAD = `# Please edit the object below. Lines beginning with a '#' will be ignored,
# and an empty file will abort the edit. If an error occurs while saving this file will be
# reopened with the relevant failures.
#
`

export const EDIT: Command = {
  name: 'edit',
  summary: 'Opens objects in the editor.',
  usage: 'edit (RESOURCE/NAME | -f FILENAME)',
  examples: [{ line: 'kubectl edit deployment/web', about: 'A deployment, as YAML' }],
  completes: 'objects',
  flags: [
    ...FILE_FLAGS,
    fieldManagerFlag('kubectl-edit'),
    ...OUTPUT_FLAGS,
    RECURSIVE_FLAG,
    VALIDATE_FLAG,
    { name: 'subresource', type: 'text', values: ['status', 'scale'], about: 'Only this part.' },
  ],
  async run(context, { args, flags }) {
    const subresource = flags.text('subresource') || undefined
    const failures = new Failures()
    const found: FoundObject[] = []
    const selection = await select(context, { args, files: flags.list('filename'), subresource, typeAlone: true })
    for await (const target of foundObjects(context, selection, failures)) found.push(target)
    failures.throwIfAny()
    for (const target of found) await failures.during(() => edit(context, target, flags))
    failures.throwIfAny()
    return 0
  },
}

async function edit(context: Context, target: FoundObject, flags: FlagValues): Promise<void> {
  const shown = withoutManagedFields(target.object)
  const text = HEAD + toYaml(shown)
  const title = qualifiedName(target.resource, target.name)
  const edited = await context.host.openEditor(title, text)
  if (edited === undefined) {
    context.err(`${title} is open in the editor: change it there and apply it.\n`)
    return
  }
  const content = edited.replace(/^#.*\n?/gm, '')
  if (content.trim() === '') {
    context.err('Edit cancelled, saved file was empty.\n')
    return
  }
  const [first] = objectsOf('edited-file', content)
  if (first === undefined) throw new CommandError('The edited file had a syntax error: no object')
  const patch = mergePatchOf(shown, first.object)
  if (Object.keys(patch).length === 0) {
    context.err('Edit cancelled, no changes made.\n')
    return
  }
  const path = pathWith(pathOfTarget(target, flags.text('subresource') || undefined), {
    fieldManager: flags.text('field-manager'),
    fieldValidation: fieldValidationOf(flags),
  })
  const { json } = await context.client.send({ method: 'PATCH', path, contentType: MEDIA_TYPE.mergePatch, body: patch })
  new Results(context, flags).print(json, 'edited')
}

function withoutManagedFields(object: JsonObject): JsonObject {
  const { managedFields: _hidden, ...metadata } = isJsonObject(object.metadata) ? object.metadata : {}
  return { ...object, metadata }
}
