import type { ServedResource } from '../../state/discovery'
import type { Text } from './rank'

const namesOf = ({ resource, shortNames, group }: ServedResource): string =>
  `${resource} ${shortNames.join(' ')} ${group}`.toLowerCase()
export const textOfKind = (resource: ServedResource): Text => ({
  title: resource.kind.toLowerCase(),
  more: `kind ${namesOf(resource)}`,
  names: [resource.resource, ...resource.shortNames],
})

export const textOfNew = (resource: ServedResource): Text => ({
  title: `new ${resource.kind.toLowerCase()}`,
  more: `create ${namesOf(resource)}`,
})
