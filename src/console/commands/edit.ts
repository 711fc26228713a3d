/** Reopens the file if the server rejects the changes. */
import { MEDIA_TYPE } from '../../engine/core/names'
import { equalJson, isJsonObject, type JsonObject } from '../../engine/core/object'
import {
  hasLines,
  isUnchanged,
  problemOf,
  type Reason,
  textToEdit,
  textToMend,
} from '../acting/edited-text'
import { Failures } from '../acting/failures'
import { fieldManagerFlag, fieldValidationOf, RECURSIVE_FLAG, VALIDATE_FLAG } from '../acting/flags'
import { kindType } from '../acting/kind-type'
import { type FoundObject, foundObjects } from '../acting/objects'
import { Results } from '../acting/results'
import { pathWith } from '../client'
import type { Command, Context, FlagValues } from '../command'
import { qualified } from '../discovery'
import { CommandError, StatusError } from '../errors'
import { objectsOf } from '../manifests'
import { OUTPUT_FLAGS } from '../output/printer'
import { pathOfTarget, select, targetOf } from '../targets'
import { threeWayPatch } from '../three-way'
import { FILE_FLAGS } from './common-flags'

export const EDIT: Command = {
  name: 'edit',
  summary: 'Edit a resource on the server',
  usage: 'edit (RESOURCE/NAME | -f FILENAME)',
  examples: [
    { line: 'kubectl edit deployment/web', about: 'Edit a deployment' },
    { line: 'kubectl edit configmap one two', about: 'Edit two config maps in one file' },
  ],
  completes: 'objects',
  flags: [
    ...FILE_FLAGS,
    fieldManagerFlag('kubectl-edit'),
    ...OUTPUT_FLAGS,
    RECURSIVE_FLAG,
    VALIDATE_FLAG,
    {
      name: 'subresource',
      type: 'text',
      values: ['status', 'scale'],
      about: 'If specified, edit operates on the subresource of the requested object.',
    },
  ],
  async run(context, { args, flags }) {
    const subresource = flags.text('subresource') || undefined
    const failures = new Failures()
    const found: FoundObject[] = []
    const selection = await select(context, {
      args,
      files: flags.list('filename'),
      subresource,
      typeAlone: true,
    })
    for await (const target of foundObjects(context, selection, failures)) found.push(target)
    failures.throwIfAny()
    const [first] = found
    if (first === undefined) throw new CommandError('edit cancelled, no objects found')
    return new Editing(context, [first, ...found.slice(1)], flags).run()
  },
}

/** Maximum length of the file name. */
const LONGEST_NAME = 60

interface Outcome {
  /** Why objects are invalid, for the user to correct. */
  reasons: Reason[]
  /** Objects rejected for another reason, or gone. */
  rejected: number
  gone: number
}

class Editing {
  private readonly results: Results
  private readonly file: string

  constructor(
    private readonly context: Context,
    private readonly found: readonly [FoundObject, ...FoundObject[]],
    private readonly flags: FlagValues,
  ) {
    this.results = new Results(context, flags)
    const names = found.map(({ name }) => name).join('-')
    this.file = `kubectl-edit-${names.slice(0, LONGEST_NAME)}.yaml`
  }

  /** @returns the exit code */
  async run(): Promise<number> {
    const { context } = this
    const original = textToEdit(this.found.map(({ object }) => withoutManagedFields(object)))
    let text = original
    let rejected: string | undefined
    for (;;) {
      const edited = await context.host.openEditor(this.file, text, context.signal)
      if (rejected !== undefined && isUnchanged(edited, rejected)) {
        this.keep(edited)
        throw new CommandError('Edit cancelled, no valid changes were saved.')
      }
      if (isUnchanged(edited, original)) {
        context.err('Edit cancelled, no changes made.\n')
        return 0
      }
      if (!hasLines(edited)) {
        context.err('Edit cancelled, saved file was empty.\n')
        return 0
      }
      const outcome = await this.take(edited)
      if (outcome.rejected > 0) {
        const name = context.host.keepFile(this.file, edited)
        context.err(`You can run \`kubectl replace -f ${name}\` to try this update again.\n`)
        return 1
      }
      if (outcome.gone > 0) {
        const name = context.host.keepFile(this.file, edited)
        context.err(
          `The edits you made on deleted resources have been saved to ${JSON.stringify(name)}\n`,
        )
        return 1
      }
      if (outcome.reasons.length === 0) return 0
      text = textToMend(edited, outcome.reasons)
      rejected = edited
    }
  }

  private keep(edited: string): void {
    this.context.err(
      `A copy of your changes has been stored to ${JSON.stringify(this.context.host.keepFile(this.file, edited))}\n`,
    )
  }

  /** Keeps the edited text as a file if it cannot be sent. */
  private async take(edited: string): Promise<Outcome> {
    try {
      return await this.send(edited)
    } catch (error) {
      this.keep(edited)
      throw error
    }
  }

  private async send(edited: string): Promise<Outcome> {
    const outcome: Outcome = { reasons: [], rejected: 0, gone: 0 }
    const read = await this.read(edited)
    if (!Array.isArray(read)) return { ...outcome, reasons: [read] }
    const pairs = read.map((object) => [object, this.originalOf(object)] as const)
    for (const [object, original] of pairs) {
      try {
        await this.patch(original, object)
      } catch (error) {
        if (!(error instanceof StatusError)) throw error
        this.note(error, original, outcome)
      }
    }
    return outcome
  }

  /** @returns the error if the text cannot be decoded */
  private async read(edited: string): Promise<JsonObject[] | Reason> {
    const problem = problemOf(edited)
    if (problem !== undefined) {
      const which = named(this.found[0])
      this.context.err(`error: ${which} is invalid\n`)
      return {
        head: `${which} was not valid`,
        causes: [`<nil>: Invalid value: "The edited file failed validation": ${problem}`],
      }
    }
    try {
      const manifests = objectsOf(SOURCE, edited)
      for (const manifest of manifests) await targetOf(this.context, manifest)
      return manifests.map(({ object }) => object)
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      return { head: `The edited file had a syntax error: ${error.message}`, causes: [] }
    }
  }

  /** @throws CommandError for an object that was not opened, or a changed immutable member */
  private originalOf(object: JsonObject): FoundObject {
    const metadata = metadataOf(object)
    const original = this.found.find((one) => metadataOf(one.object).uid === metadata.uid)
    if (original === undefined)
      throw new CommandError(
        `no original object found for ${object.kind} ${JSON.stringify(metadata.name)}`,
      )
    const { namespace = '' } = metadata
    const own = original.namespace ?? ''
    if (namespace !== '' && namespace !== own)
      throw new CommandError(
        `the namespace from the provided object ${JSON.stringify(namespace)} does not match the namespace ${JSON.stringify(own)}. You must pass '--namespace=${namespace}' to perform this operation.`,
      )
    const before = original.object
    if (
      object.apiVersion !== before.apiVersion ||
      object.kind !== before.kind ||
      metadata.name !== metadataOf(before).name
    )
      throw new CommandError('At least one of apiVersion, kind and name was changed')
    return original
  }

  private async patch(target: FoundObject, edited: JsonObject): Promise<void> {
    const { context, flags } = this
    const shown = withoutManagedFields(target.object)
    if (equalJson(shown, edited)) {
      this.results.print(target.object, 'skipped')
      return
    }
    const type = await kindType(target.resource)
    const path = pathWith(pathOfTarget(target, flags.text('subresource') || undefined), {
      fieldManager: flags.text('field-manager'),
      fieldValidation: fieldValidationOf(flags),
    })
    const contentType = type === undefined ? MEDIA_TYPE.mergePatch : MEDIA_TYPE.strategicMergePatch
    const { json } = await context.client.send({
      method: 'PATCH',
      path,
      contentType,
      body: threeWayPatch(shown, edited, shown, type),
    })
    this.results.print(json, 'edited')
  }

  private note(error: StatusError, target: FoundObject, outcome: Outcome): void {
    const which = named(target)
    const { err } = this.context
    if (error.reason === 'Invalid') {
      outcome.reasons.push({
        head: `${which} was not valid`,
        causes: error.causes.map(({ field, message }) => `${field}: ${message}`),
      })
      err(`error: ${which} is invalid\n`)
    } else if (error.reason === 'NotFound') {
      outcome.gone++
      err(`error: ${which} could not be found on the server\n`)
    } else {
      outcome.rejected++
      err(`error: ${which} could not be patched: ${error.message}\n`)
    }
  }
}

/** The file name in messages. */
const SOURCE = 'edited-file'

const named = ({ resource, name }: FoundObject): string =>
  `${qualified(resource)} ${JSON.stringify(name)}`

const metadataOf = ({ metadata }: JsonObject): JsonObject =>
  isJsonObject(metadata) ? metadata : {}

function withoutManagedFields(object: JsonObject): JsonObject {
  const { managedFields: _hidden, ...metadata } = metadataOf(object)
  return { ...object, metadata }
}
