import type { StructType } from '../../engine/schema/model'
import type { ServedResource } from '../discovery'

/**
 * The type of a built-in kind; undefined for custom resources. Types are loaded on first use, since
 * most commands need none.
 */
export async function kindType({
  group,
  version,
  kind,
}: Pick<ServedResource, 'group' | 'version' | 'kind'>): Promise<StructType | undefined> {
  const { builtinModel } = await import('../../engine/schema/builtin')
  return builtinModel().byKind(group, version, kind)
}
