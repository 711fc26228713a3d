import { BASE_RELEASE } from '../../release-tables/minor'
import { tablesOf } from '../../release-tables/tables'
import { recordedTables } from '../../releases/discovery'
import type { ReleaseIdentity } from '../../releases/release'
import { modelOf } from '../../schema/builtin'
import { modelOfEveryRelease } from '../../schema/every-release'
import type { TypeModel } from '../../schema/model'

export function modelOfRelease({ name, own }: Pick<ReleaseIdentity, 'name' | 'own'>): TypeModel {
  if (own) return modelOf(own.tables)
  const tables = recordedTables(name)
  return tables || name === BASE_RELEASE ? modelOf(tables) : modelOfEveryRelease(tablesOf(name))
}

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.'

export const hasDeleteOption = (model: TypeModel, option: string): boolean =>
  hasMember(model, 'DeleteOptions', option)

export const hasShards = (model: TypeModel): boolean => hasMember(model, 'ListMeta', 'shardInfo')

function hasMember(model: TypeModel, name: string, member: string): boolean {
  const type = model.byName(META + name)
  return type?.type === 'struct' && type.byName.has(member)
}
