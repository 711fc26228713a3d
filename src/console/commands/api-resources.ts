/** `kubectl api-resources` */
import type { Command } from '../command'
import { apiVersionOf, qualified, type ServedResource } from '../discovery'
import { CommandError } from '../errors'
import { Columns } from '../output/columns'

export const API_RESOURCES: Command = {
  name: 'api-resources',
  summary: 'Print the supported API resources on the server',
  usage: 'api-resources [flags]',
  examples: [
    { line: 'kubectl api-resources', about: 'Print the supported API resources' },
    {
      line: 'kubectl api-resources --namespaced=false',
      about: 'Print the non-namespaced resources',
    },
    {
      line: 'kubectl api-resources --api-group=apps -o wide',
      about: 'Print the resources of an API group with more information',
    },
  ],
  flags: [
    { name: 'api-group', type: 'text', about: 'Limit to resources in the specified API group.' },
    { name: 'cached', type: 'on', about: 'Use the cached list of resources if available.' },
    {
      name: 'categories',
      type: 'list',
      about: 'Limit to resources that belong to the specified categories.',
    },
    {
      name: 'namespaced',
      type: 'on',
      default: 'true',
      about: 'If false, non-namespaced resources are returned, otherwise namespaced resources.',
    },
    { name: 'no-headers', type: 'on', about: "Don't print headers (default print headers)." },
    {
      name: 'output',
      short: 'o',
      type: 'text',
      values: ['wide', 'name'],
      about: 'Output format. One of: (wide, name).',
    },
    {
      name: 'sort-by',
      type: 'text',
      values: ['name', 'kind'],
      about:
        "If non-empty, sort the list of resources by the specified field. The field can be either 'name' or 'kind'.",
    },
    { name: 'verbs', type: 'list', about: 'Limit to resources that support the specified verbs.' },
  ],
  async run({ discovery, out }, { args, flags, path }) {
    if (args.length > 0)
      throw new CommandError(
        `unexpected arguments: [${args.join(' ')}]\nSee '${path} -h' for help and examples`,
      )
    const output = flags.text('output')
    if (!['', 'wide', 'name'].includes(output))
      throw new CommandError(`--output ${output} is not available`)
    if (!['', 'name', 'kind'].includes(flags.text('sort-by')))
      throw new CommandError('--sort-by accepts only name or kind')
    if (!flags.on('cached')) discovery.reset()
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
    else
      out(
        new Columns().lines([
          ...(flags.on('no-headers') ? [] : [headings(output)]),
          ...sorted.map((entry) => row(entry, output)),
        ]),
      )
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
