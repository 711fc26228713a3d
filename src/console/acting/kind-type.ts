/** The type of a kind that the server has by itself. */
import type { StructType } from '../../engine/schema/model'
import type { ServedResource } from '../discovery'

/** @returns undefined for custom kinds. The types are fetched when they are first wanted: most commands never want them. */
export async function kindType({
  group,
  version,
  kind,
}: Pick<ServedResource, 'group' | 'version' | 'kind'>): Promise<StructType | undefined> {
  const { builtinModel } = await import('../../engine/schema/builtin')
  return builtinModel().byKind(group, version, kind)
}
