// The palette

export const search = 'Search'
export const placeholder = 'Search commands, objects, kinds, fields, glossary'
export const label = 'Search everything'
export const results = 'Search results'
export const more = (count: number) => `${count} more: type to narrow down`
export const noResults = 'No results. Find fields by path:'
export const fieldExample = 'deployment.spec.replicas'
export const move = 'move'
export const choose = 'select'
export const closeKey = 'close'

// Groups and hints

export const commands = 'Commands'
export const objects = 'Objects'
export const kinds = 'Kinds'
export const newObjects = 'New'
export const lessons = 'Lessons and incidents'
export const releases = 'Releases'
export const glossary = 'Glossary'
export const inNamespace = (namespace: string) => ` in ${namespace}`
export const fieldOf = (kind: string) => `Field of ${kind}`
export const fields = 'Fields'
export const newKind = (kind: string) => `New ${kind}`
