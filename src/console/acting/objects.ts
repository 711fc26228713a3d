/** The objects of a command one by one; missing ones are reported at the end. */
import type { JsonObject } from '../../engine/core/object'
import type { Context } from '../command'
import { CommandError, StatusError } from '../errors'
import { eachManifest, uncheckable } from '../manifests'
import {
  type Choice,
  listPages,
  pathOfTarget,
  type Selection,
  select,
  type Target,
  targetOf,
  targetOfItem,
} from '../targets'
import type { Failures } from './failures'

export type FoundObject = Target & { object: JsonObject }
export type FileTarget = Target & { object: JsonObject; source: string }

export interface FiledOptions {
  /** Keeps objects as in the file, without the request's namespace. */
  asWritten?: boolean
  /** `--validate`, for commands that check before they send. */
  validate?: string
}

/** Values of `--validate` that disable checks. */
const UNCHECKED = ['', 'false', 'ignore']

/** @throws CommandError for a missing file */
export async function* filedObjects(
  context: Context,
  files: readonly string[],
  failures: Failures,
  { asWritten = false, validate = '' }: FiledOptions = {},
): AsyncGenerator<FileTarget> {
  for await (const manifest of eachManifest(context, files)) {
    if (manifest instanceof CommandError) {
      failures.addLookup(manifest)
      continue
    }
    try {
      const problem = UNCHECKED.includes(validate.toLowerCase()) ? undefined : uncheckable(manifest)
      if (problem !== undefined) throw problem
      const target = await targetOf(context, manifest)
      yield asWritten ? { ...target, object: manifest.object } : target
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      failures.addLookup(error)
    }
  }
}

/** @throws CommandError for invalid arguments */
export async function* chosenObjects(
  context: Context,
  choice: Choice,
  failures: Failures,
): AsyncGenerator<FoundObject> {
  const selection = await select(context, choice)
  yield* foundObjects(context, selection, failures)
}

export async function* foundObjects(
  context: Context,
  selection: Selection,
  failures: Failures,
): AsyncGenerator<FoundObject> {
  for (const target of selection.targets) {
    try {
      yield { ...target, object: await context.client.get(pathOfTarget(target)) }
    } catch (error) {
      if (!(error instanceof StatusError)) throw error
      failures.add(error)
    }
  }
  for (const resource of selection.lists) {
    for await (const page of listPages(context, selection, resource)) {
      const { items } = page
      for (const item of Array.isArray(items) ? (items as JsonObject[]) : [])
        yield targetOfItem(resource, page, item)
    }
  }
}
