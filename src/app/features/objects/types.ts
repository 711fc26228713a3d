import { parseApiVersion } from '../../../engine/core/object'
import type { StructType } from '../../../engine/schema/model'

/** @returns undefined if the type is not published */
export async function typeOfKind(
  apiVersion: string,
  kind: string,
): Promise<StructType | undefined> {
  const { group, version } = parseApiVersion(apiVersion)
  const { builtinModel } = await import('../../../engine/schema/builtin')
  const builtin = builtinModel().byKind(group, version, kind)
  if (builtin !== undefined) return builtin
  const [{ customTypeIn }, { documentOf }] = await Promise.all([
    import('./custom-types'),
    import('./served-documents'),
  ])
  const document = await documentOf(apiVersion)
  return document && customTypeIn(document, apiVersion, kind)
}
