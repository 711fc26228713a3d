export type YamlNode = ScalarNode | ListNode | MapNode | AliasNode

interface WrittenNode {
  /** From zero. */
  line: number
  /** In full: `tag:yaml.org,2002:str`. */
  tag: string | undefined
}

export interface ScalarNode extends WrittenNode {
  kind: 'scalar'
  value: string
  /** Its text determines its type. */
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
