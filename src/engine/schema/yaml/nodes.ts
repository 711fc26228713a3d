/** The nodes of a YAML document with their tags and lines; aliases refer to nodes. */

export type YamlNode = ScalarNode | ListNode | MapNode | AliasNode

interface WrittenNode {
  /** Counted from zero. */
  line: number
  /** In full: `tag:yaml.org,2002:str`. */
  tag: string | undefined
}

export interface ScalarNode extends WrittenNode {
  kind: 'scalar'
  value: string
  /** Neither quoted nor in a block: what it means depends on how it looks. */
  plain: boolean
}

export interface ListNode extends WrittenNode {
  kind: 'list'
  items: YamlNode[]
}

export interface MapNode extends WrittenNode {
  kind: 'map'
  entries: { key: YamlNode; value: YamlNode }[]
}

export interface AliasNode extends WrittenNode {
  kind: 'alias'
  name: string
  target: YamlNode
}
