/** The type of any kind that is served: built in, or made by a definition. */
import { type JsonObject, parseApiVersion } from '../../engine/object'
import type { StructType } from '../../engine/schema/model'
import { get } from '../client'

/** @returns undefined for a kind of which nobody tells the type */
export async function typeOfKind(apiVersion: string, kind: string): Promise<StructType | undefined> {
  const { group, version } = parseApiVersion(apiVersion)
  const { builtinModel } = await import('../../engine/schema/builtin')
  const builtin = builtinModel().byKind(group, version, kind)
  if (builtin !== undefined) return builtin
  const { customTypeIn, openApiPath } = await import('./custom-types')
  const document = await get<JsonObject>(openApiPath(apiVersion)).catch(() => undefined)
  return document && customTypeIn(document, apiVersion, kind)
}
