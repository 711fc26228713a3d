// Head

export const explorer = 'Explorer'
export const filterHint = 'Find by name or kind'
export const filterLabel = 'Find objects by name or kind'
export const namespace = 'Namespace'
export const allNamespaces = 'All namespaces'
export const loading = 'Loading resources…'
export const noMatches = (filter: string) => `No matches for “${filter}”.`
export const empty = 'No resources in this namespace.'
export const noPermissions =
  'No RBAC permissions yet. Switch to admin and apply the sample “Namespace with a Role and RoleBinding”.'
export const cannotList = (user: string) => `${user} can't list anything`
export const hide = 'Hide'
export const show = 'Show'
export const moreKind = 'more kind'
export const forbidden = (count: number) => `${count} forbidden`
export const forbiddenTitle = "This user can't list them"
export const objects = 'Objects'
