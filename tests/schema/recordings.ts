/**
 * The objects and bodies in recordings: objects that kube-apiserver wrote, and bodies that it read.
 */

import { parseApiVersion } from '../../src/engine/core/object'
import { builtinModel } from '../../src/engine/schema/builtin'
import type { StructType } from '../../src/engine/schema/model'
import { FOLDERS, readRecordings, recordingFiles } from '../conformance/recording-files'

interface Step {
  id: string
  request: { method: string; path: string; headers: Record<string, string>; body?: string }
  response: { status: number; headers: Record<string, string | string[]>; text?: string }
}

export interface RecordedStep {
  /** `wire-bodies: malformed-json/open` */
  where: string
  step: Step
}

export function* recordedSteps(): Generator<RecordedStep> {
  for (const folder of FOLDERS) {
    for (const file of recordingFiles(folder)) {
      for (const { name, steps } of readRecordings(file)) {
        for (const step of steps as unknown as Step[])
          yield { where: `${file.name}: ${name}/${step.id}`, step }
      }
    }
  }
}

/**
 * Returns every JSON object of a built-in kind in the responses, including those of watch events.
 */
export function* recordedObjects(): Generator<{ where: string; text: string; type: StructType }> {
  for (const { where, step } of recordedSteps()) {
    const { headers, text = '' } = step.response
    if (!String(headers['content-type']).includes('json')) continue
    for (const line of text.trimEnd().split('\n')) {
      const object = eventObject(line) ?? line
      const type = typeOf(object)
      if (type !== undefined) yield { where, text: object, type }
    }
  }
}

/** Returns the text of the object in a watch event. */
function eventObject(line: string): string | undefined {
  return /^\{"type":"[A-Z]+","object":(.*)\}$/.exec(line)?.[1]
}

/** Returns the built-in type of a JSON text. */
function typeOf(text: string): StructType | undefined {
  const kind = /"kind":"(\w+)"/.exec(text)?.[1]
  const apiVersion = /"apiVersion":"([^"]+)"/.exec(text)?.[1]
  if (kind === undefined || apiVersion === undefined || !text.startsWith('{"kind":'))
    return undefined
  const { group, version } = parseApiVersion(apiVersion)
  return builtinModel().byKind(group, version, kind)
}
