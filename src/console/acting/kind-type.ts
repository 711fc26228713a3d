import type { StructType } from '../../engine/schema/model'
import type { ServedResource } from '../discovery'

/** undefined for custom resources. Loaded on first use: most commands need no types. */
export async function kindType({
  group,
  version,
  kind,
}: Pick<ServedResource, 'group' | 'version' | 'kind'>): Promise<StructType | undefined> {
  const { builtinModel } = await import('../../engine/schema/builtin')
  return builtinModel().byKind(group, version, kind)
}
