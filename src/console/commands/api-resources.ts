/** `kubectl api-resources`: what is served. */
import type { Command } from '../command'
import { apiVersionOf, qualified, type ServedResource } from '../discovery'
import { CommandError } from '../errors'
import { Columns } from '../output/columns'

export const API_RESOURCES: Command = {
  name: 'api-resources',
  summary: 'Lists the types that the server serves.',
  usage: 'api-resources [flags]',
  examples: [
    { line: 'kubectl api-resources', about: 'All types' },
    { line: 'kubectl api-resources --namespaced=false', about: 'Those that are in no namespace' },
    { line: 'kubectl api-resources --api-group=apps -o wide', about: 'Those of a group, with their verbs' },
  ],
  flags: [
    { name: 'api-group', type: 'text', about: 'Only of this group.' },
    { name: 'cached', type: 'on', about: 'As far as it is known, without asking again.' },
    { name: 'categories', type: 'list', about: 'Only those in these categories.' },
    { name: 'namespaced', type: 'on', default: 'true', about: 'Only those in namespaces, or with =false only the others.' },
    { name: 'no-headers', type: 'on', about: 'Leave the headings out.' },
    { name: 'output', short: 'o', type: 'text', values: ['wide', 'name'], about: 'wide: with verbs and categories; name: names alone.' },
    { name: 'sort-by', type: 'text', values: ['name', 'kind'], about: 'Sort by name or by kind.' },
    { name: 'verbs', type: 'list', about: 'Only those with these verbs.' },
  ],
  async run({ discovery, out }, { args, flags, path }) {
    if (args.length > 0) throw new CommandError(`unexpected arguments: [${args.join(' ')}]\nSee '${path} -h' for help and examples`)
    const output = flags.text('output')
    if (!['', 'wide', 'name'].includes(output)) throw new CommandError(`--output ${output} is not available`)
    if (!['', 'name', 'kind'].includes(flags.text('sort-by'))) throw new CommandError('--sort-by accepts only name or kind')
    if (!flags.on('cached')) discovery.forget()
    const chosen = (await discovery.resources()).filter(
      (entry) =>
        entry.preferred &&
        (!flags.has('api-group') || entry.group === flags.text('api-group')) &&
        (!flags.has('namespaced') || entry.namespaced === flags.on('namespaced')) &&
        flags.list('verbs').every((verb) => entry.verbs.includes(verb)) &&
        flags.list('categories').every((category) => entry.categories.includes(category)),
    )
    const by = flags.text('sort-by')
    const key = by === 'kind' ? kindKey : by === 'name' ? nameKey : groupKey
    const sorted = chosen.toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0))
    if (output === 'name') out(sorted.map((entry) => `${qualified(entry)}\n`).join(''))
    else out(new Columns().lines([...(flags.on('no-headers') ? [] : [headings(output)]), ...sorted.map((entry) => row(entry, output))]))
    return 0
  },
}

const nameKey = ({ resource }: ServedResource): string => resource
const kindKey = ({ kind }: ServedResource): string => kind
const groupKey = ({ group, resource }: ServedResource): string => `${group} ${resource}`

const headings = (output: string): string[] => [
  'NAME',
  'SHORTNAMES',
  'APIVERSION',
  'NAMESPACED',
  'KIND',
  ...(output === 'wide' ? ['VERBS', 'CATEGORIES'] : []),
]

const row = (entry: ServedResource, output: string): string[] => [
  entry.resource,
  entry.shortNames.join(','),
  apiVersionOf(entry),
  String(entry.namespaced),
  entry.kind,
  ...(output === 'wide' ? [entry.verbs.join(','), entry.categories.join(',')] : []),
]
