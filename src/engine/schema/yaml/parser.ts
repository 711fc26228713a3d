/**
 * Parses the first document (YAML 1.1, chapters 7 to 9), with the errors of sigs.k8s.io/yaml. Reads
 * only the first token of the rest.
 */
import { MOST_NESTED } from '../nesting'
import { parserProblem, tooDeep, YamlSyntaxError } from './errors'
import type { ListNode, MapNode, ScalarNode, YamlNode } from './nodes'
import { Scanner } from './scanner'
import type { Token } from './tokens'

type TokenType = Token['type']

/**
 * @returns undefined without a document
 * @throws YamlSyntaxError
 */
export function parseYaml(text: string): YamlNode | undefined {
  return new Parser(text).document()
}

const NOTHING = {
  inDocument: new Set<TokenType>([
    'yaml directive',
    'tag directive',
    'document start',
    'document end',
    'end of text',
  ]),
  inList: new Set<TokenType>(['entry', 'block end']),
  inUnindentedList: new Set<TokenType>(['entry', 'key', 'value', 'block end']),
  inBlockMap: new Set<TokenType>(['key', 'value', 'block end']),
  behindKeyOfFlowMap: new Set<TokenType>(['value', ',', '}']),
  behindKeyOfPair: new Set<TokenType>(['value', ',', ']']),
}

/** In the value of a key, list entries need not be indented. */
type Place = 'block' | 'value in a block' | 'flow'

interface Properties {
  anchor: string | undefined
  tag: string | undefined
  line: number | undefined
}

class Parser {
  private readonly scanner: Scanner
  private readonly tagPrefixes = new Map([
    ['!', '!'],
    ['!!', 'tag:yaml.org,2002:'],
  ])
  private readonly anchors = new Map<string, YamlNode>()
  private depth = 0

  constructor(text: string) {
    this.scanner = new Scanner(text)
  }

  document(): YamlNode | undefined {
    const first = this.scanner.peek()
    if (first.type === 'end of text') return undefined
    this.directives()
    const isMarked = this.take('document start')
    if (!isMarked && this.scanner.peek() !== first)
      throw this.unexpected('did not find expected <document start>')
    const root =
      isMarked && this.isAny(NOTHING.inDocument)
        ? empty(this.scanner.peek().line)
        : this.node('block')
    this.scanner.peek()
    return root
  }

  private is(type: TokenType): boolean {
    return this.scanner.peek().type === type
  }

  private isAny(types: ReadonlySet<TokenType>): boolean {
    return types.has(this.scanner.peek().type)
  }

  private take(type: TokenType): boolean {
    const found = this.is(type)
    if (found) this.scanner.skip()
    return found
  }

  private unexpected(problem: string): YamlSyntaxError {
    return parserProblem(problem, this.scanner.peek().line)
  }

  private directives(): void {
    let hasVersion = false
    const handles = new Set<string>()
    for (let token = this.scanner.peek(); ; token = this.scanner.peek()) {
      if (token.type === 'yaml directive') {
        if (hasVersion) throw this.unexpected('found duplicate %YAML directive')
        if (token.version !== '1.1') throw this.unexpected('found incompatible YAML document')
        hasVersion = true
      } else if (token.type === 'tag directive') {
        if (handles.has(token.handle)) throw this.unexpected('found duplicate %TAG directive')
        handles.add(token.handle)
        this.tagPrefixes.set(token.handle, token.prefix)
      } else return
      this.scanner.skip()
    }
  }

  private node(place: Place): YamlNode {
    const first = this.scanner.peek()
    if (first.type === 'alias') {
      this.scanner.skip()
      const target = this.anchors.get(first.name)
      if (target === undefined)
        throw new YamlSyntaxError(`unknown anchor '${first.name}' referenced`)
      return { kind: 'alias', name: first.name, target, line: first.line, tag: undefined }
    }
    const properties = this.properties()
    const node = this.begun(place, properties)
    if (properties.anchor !== undefined) this.anchors.set(properties.anchor, node)
    if (node.kind === 'list' || node.kind === 'map') this.fill(node)
    return node
  }

  private properties(): Properties {
    const found: Properties = { anchor: undefined, tag: undefined, line: undefined }
    let written: { handle: string; suffix: string; line: number } | undefined
    for (let token = this.scanner.peek(); ; token = this.scanner.peek()) {
      if (token.type === 'anchor' && found.anchor === undefined) found.anchor = token.name
      else if (token.type === 'tag' && written === undefined) written = token
      else break
      found.line ??= token.line
      this.scanner.skip()
    }
    if (written !== undefined) found.tag = this.tagOf(written)
    return found
  }

  private tagOf({
    handle,
    suffix,
    line,
  }: {
    handle: string
    suffix: string
    line: number
  }): string {
    if (handle === '') return suffix
    const prefix = this.tagPrefixes.get(handle)
    if (prefix === undefined) throw parserProblem('found undefined tag handle', line)
    return prefix + suffix
  }

  /** Of a collection returns an empty node, and consumes no token. */
  private begun(place: Place, { anchor, tag, line: begin }: Properties): YamlNode {
    const token = this.scanner.peek()
    const line = begin ?? token.line
    switch (token.type) {
      case 'scalar':
        this.scanner.skip()
        return { kind: 'scalar', value: token.value, plain: token.plain, line, tag }
      case '[':
        return { kind: 'list', items: [], line, tag }
      case '{':
        return { kind: 'map', entries: [], line, tag }
      case 'block list':
        if (place !== 'flow') return { kind: 'list', items: [], line, tag }
        break
      case 'entry':
        if (place === 'value in a block') return { kind: 'list', items: [], line, tag }
        break
      case 'block map':
        if (place !== 'flow') return { kind: 'map', entries: [], line, tag }
        break
    }
    if (anchor !== undefined || tag !== undefined) return { ...empty(line), tag }
    throw this.unexpected('did not find expected node content')
  }

  private fill(node: ListNode | MapNode): void {
    if (++this.depth > MOST_NESTED) throw this.nestedTooDeep()
    const { type } = this.scanner.peek()
    if (type !== 'entry') this.scanner.skip()
    if (node.kind === 'map') {
      if (type === '{') this.flowMap(node)
      else this.blockMap(node)
    } else if (type === '[') this.flowList(node)
    else if (type === 'entry') this.unindentedList(node)
    else this.blockList(node)
    this.depth--
  }

  /** Reports kube-apiserver's own limit if that is exceeded too. */
  private nestedTooDeep(): YamlSyntaxError {
    while (!this.is('end of text')) this.scanner.skip()
    return tooDeep(MOST_NESTED)
  }

  private blockList(list: ListNode): void {
    while (this.is('entry')) list.items.push(this.after('block', NOTHING.inList))
    if (!this.take('block end')) throw this.unexpected("did not find expected '-' indicator")
  }

  private unindentedList(list: ListNode): void {
    while (this.is('entry')) list.items.push(this.after('block', NOTHING.inUnindentedList))
  }

  private after(place: Place, nothing: ReadonlySet<TokenType>): YamlNode {
    const { line } = this.scanner.peek()
    this.scanner.skip()
    return this.isAny(nothing) ? empty(line) : this.node(place)
  }

  private blockMap(map: MapNode): void {
    while (!this.take('block end')) {
      if (!this.is('key')) throw this.unexpected('did not find expected key')
      const key = this.after('value in a block', NOTHING.inBlockMap)
      const hasValue = this.is('value')
      const value = hasValue
        ? this.after('value in a block', NOTHING.inBlockMap)
        : empty(this.scanner.peek().line)
      map.entries.push({ key, value })
    }
  }

  private flowList(list: ListNode): void {
    for (let first = true; !this.take(']'); first = false) {
      if (!first && !this.take(',')) throw this.unexpected("did not find expected ',' or ']'")
      if (this.is('key')) list.items.push(this.pair())
      else if (!this.is(']')) list.items.push(this.node('flow'))
    }
  }

  /** `[a: 1]`: a map of one member. */
  private pair(): MapNode {
    const { line } = this.scanner.peek()
    this.scanner.skip()
    const pair: MapNode = { kind: 'map', entries: [], line, tag: undefined }
    let key: YamlNode
    if (this.isAny(NOTHING.behindKeyOfPair)) {
      key = empty(this.scanner.peek().line)
      // sigs.k8s.io/yaml drops the token after an empty key.
      this.scanner.skip()
    } else key = this.node('flow')
    pair.entries.push({ key, value: this.flowValue(']') })
    return pair
  }

  private flowMap(map: MapNode): void {
    for (let first = true; !this.take('}'); first = false) {
      if (!first && !this.take(',')) throw this.unexpected("did not find expected ',' or '}'")
      if (this.is('key')) {
        const key = this.after('flow', NOTHING.behindKeyOfFlowMap)
        map.entries.push({ key, value: this.flowValue('}') })
      } else if (!this.is('}')) {
        const key = this.node('flow')
        map.entries.push({ key, value: empty(this.scanner.peek().line) })
      }
    }
  }

  private flowValue(close: ']' | '}'): YamlNode {
    if (!this.take('value') || this.is(',') || this.is(close))
      return empty(this.scanner.peek().line)
    return this.node('flow')
  }
}

const empty = (line: number): ScalarNode => ({
  kind: 'scalar',
  value: '',
  plain: true,
  line,
  tag: undefined,
})
