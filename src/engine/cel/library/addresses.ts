/** `ip('10.0.0.1')`, `cidr('10.0.0.0/8')`. */
import { goQuote } from '../../schema/go-text'
import type { EstimateArguments } from '../cost/estimate-types'
import {
  add,
  type CostRule,
  fixed,
  scaled,
  TRAVERSAL,
  traversal,
  traversesFirst,
} from '../cost/factors'
import { EvaluationError, OpaqueValue, sizeOf, unconvertible, type Value } from '../values/value'
import type { FunctionDefinition } from './function'
import type { Library } from './library'
import {
  type Address,
  AddressProblem,
  contains,
  formatAddress,
  isMapped,
  masked,
  type Network,
  parseAddress,
  parseNetwork,
} from './network-address'

class AddressValue extends OpaqueValue {
  readonly typeName = 'net.IP'
  readonly goType = 'cel.IP'

  constructor(readonly address: Address) {
    super()
  }

  override equals(other: Value): boolean | undefined {
    if (!(other instanceof AddressValue)) return undefined
    return (
      other.address.length === this.address.length && other.address.value === this.address.value
    )
  }

  override get opened(): Value {
    return unconvertible('netip.Addr', this)
  }

  override get goText(): string {
    return formatAddress(this.address)
  }

  override get size(): number {
    return this.address.length / 8
  }
}

class NetworkValue extends OpaqueValue {
  readonly typeName = 'net.CIDR'
  readonly goType = 'cel.CIDR'

  constructor(readonly network: Network) {
    super()
  }

  override get opened(): Value {
    return unconvertible('netip.Prefix', this)
  }

  override get goText(): string {
    return formatNetwork(this.network)
  }

  override get size(): number {
    return Math.ceil(this.network.prefix / 8)
  }

  override equals(other: Value): boolean | undefined {
    if (!(other instanceof NetworkValue)) return undefined
    const { length, value, prefix } = this.network
    return (
      other.network.length === length &&
      other.network.value === value &&
      other.network.prefix === prefix
    )
  }
}

const formatNetwork = (network: Network): string => `${formatAddress(network)}/${network.prefix}`

function readAddress(text: string): AddressValue | EvaluationError {
  try {
    const address = parseAddress(text)
    if (address.zone !== undefined)
      return new EvaluationError(`IP address ${goQuote(text)} with zone value is not allowed`)
    if (isMapped(address))
      return new EvaluationError(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`)
    return new AddressValue(address)
  } catch (error) {
    if (!(error instanceof AddressProblem)) throw error
    return new EvaluationError(
      `IP Address ${goQuote(text)} parse error during conversion from string: ${error.message}`,
    )
  }
}

const NETWORK_PROBLEM = 'network address parse error during conversion from string: '

function readNetwork(text: string): NetworkValue | EvaluationError {
  try {
    const network = parseNetwork(text)
    if (isMapped(network))
      return new EvaluationError(
        `${NETWORK_PROBLEM}IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`,
      )
    return new NetworkValue(network)
  } catch (error) {
    if (!(error instanceof AddressProblem)) throw error
    return new EvaluationError(`${NETWORK_PROBLEM}${NETWORK_PROBLEM}${error.message}`)
  }
}

function isCanonical(text: string): Value {
  const address = readAddress(text)
  return address instanceof EvaluationError ? address : formatAddress(address.address) === text
}

const top = ({ length, value }: Address, bits: number): bigint => value >> BigInt(length - bits)

/** RFC 4291, RFC 3927, RFC 5771. */
const isLoopback = (address: Address): boolean =>
  address.length === 32 ? top(address, 8) === 127n : address.value === 1n
const isUnspecified = ({ value }: Address): boolean => value === 0n
const isMulticast = (address: Address): boolean =>
  address.length === 32 ? top(address, 4) === 14n : top(address, 8) === 0xffn
const isLinkLocalMulticast = (address: Address): boolean =>
  address.length === 32 ? top(address, 24) === 0xe00000n : (top(address, 16) & 0xff0fn) === 0xff02n
const isLinkLocalUnicast = (address: Address): boolean =>
  address.length === 32 ? top(address, 16) === 0xa9fen : top(address, 10) === 0x3fan
const isGlobalUnicast = (address: Address): boolean =>
  !(address.length === 32 && address.value === 0xffffffffn) &&
  !isUnspecified(address) &&
  !isLoopback(address) &&
  !isMulticast(address) &&
  !isLinkLocalUnicast(address)

const strict = (rule: CostRule) => ({
  strictCost: true as const,
  cost: rule.cost,
  estimate: rule.estimate,
})

const textSize = (values: EstimateArguments, index: number) => values[index]?.size ?? fixed(1)
const parses = strict(traversesFirst)
const parsesTwice: CostRule = {
  cost: (text) => traversal(text, 2 * TRAVERSAL),
  estimate: (values) => ({ cost: scaled(textSize(values, 0), 2 * TRAVERSAL) }),
}
/** Networks are compared byte by byte. */
const BYTES = { min: 4, max: 16 }
const holdsAddressSteps = scaled(BYTES, 2 * TRAVERSAL)
const holdsNetworkSteps = add(holdsAddressSteps, add(scaled(BYTES, TRAVERSAL), fixed(1)))
const readingRange = (values: EstimateArguments) =>
  values[1]?.type.kind === 'string' ? scaled(textSize(values, 1), TRAVERSAL) : fixed(0)

const containsAddress: CostRule = {
  cost: (network, other) => Math.ceil(sizeOf(network) * 2 * TRAVERSAL) + readingSteps(other),
  estimate: (values) => ({ cost: add(holdsAddressSteps, readingRange(values)) }),
}
const containsNetwork: CostRule = {
  cost(network, other) {
    const size = sizeOf(network)
    return Math.ceil(size * 2 * TRAVERSAL) + Math.ceil(size * TRAVERSAL) + 1 + readingSteps(other)
  },
  estimate: (values) => ({ cost: add(holdsNetworkSteps, readingRange(values)) }),
}

const readingSteps = (value: Value): number => (typeof value === 'string' ? traversal(value) : 0)

function holdsAddress({ network }: NetworkValue, other: AddressValue | string): Value {
  const address = typeof other === 'string' ? readAddress(other) : other
  // kube-apiserver's message for an invalid address (cel-cidr).
  return address instanceof EvaluationError
    ? new EvaluationError('no such overload')
    : contains(network, address.address)
}

/** The outer network must have no host bits (cel-cidr, Kubernetes 1.31). */
function holdsNetwork({ network }: NetworkValue, other: NetworkValue | string): Value {
  const inner = typeof other === 'string' ? readNetwork(other) : other
  if (inner instanceof EvaluationError) return inner
  const { length, value, prefix } = inner.network
  return network.length === length && masked(network).value === value && network.prefix <= prefix
}

const kind = (name: string, holds: (address: Address) => boolean): FunctionDefinition => ({
  signature: `net.IP.${name}() -> bool`,
  call: ({ address }: AddressValue) => holds(address),
})

const functions = (): FunctionDefinition[] => [
  { signature: 'ip(string) -> net.IP', call: readAddress, ...parses },
  {
    signature: 'isIP(string) -> bool',
    call: (text: string) => readAddress(text) instanceof AddressValue,
    ...parses,
  },
  { signature: 'ip.isCanonical(string) -> bool', call: isCanonical, ...strict(parsesTwice) },
  {
    signature: 'net.IP.family() -> int',
    call: ({ address }: AddressValue) => (address.length === 32 ? 4n : 6n),
  },
  kind('isUnspecified', isUnspecified),
  kind('isLoopback', isLoopback),
  kind('isLinkLocalMulticast', isLinkLocalMulticast),
  kind('isLinkLocalUnicast', isLinkLocalUnicast),
  kind('isGlobalUnicast', isGlobalUnicast),
  {
    signature: 'string(net.IP) -> string',
    call: ({ address }: AddressValue) => formatAddress(address),
  },
  { signature: 'cidr(string) -> net.CIDR', call: readNetwork, ...parses },
  {
    signature: 'isCIDR(string) -> bool',
    call: (text: string) => readNetwork(text) instanceof NetworkValue,
    ...parses,
  },
  {
    signature: 'net.CIDR.containsIP(net.IP) -> bool',
    call: holdsAddress,
    ...strict(containsAddress),
  },
  {
    signature: 'net.CIDR.containsIP(string) -> bool',
    call: holdsAddress,
    ...strict(containsAddress),
  },
  {
    signature: 'net.CIDR.containsCIDR(net.CIDR) -> bool',
    call: holdsNetwork,
    ...strict(containsNetwork),
  },
  {
    signature: 'net.CIDR.containsCIDR(string) -> bool',
    call: holdsNetwork,
    ...strict(containsNetwork),
  },
  {
    signature: 'net.CIDR.ip() -> net.IP',
    call: ({ network }: NetworkValue) => new AddressValue(network),
  },
  {
    signature: 'net.CIDR.prefixLength() -> int',
    call: ({ network }: NetworkValue) => BigInt(network.prefix),
  },
  {
    signature: 'net.CIDR.masked() -> net.CIDR',
    call: ({ network }: NetworkValue) => new NetworkValue(masked(network)),
  },
  {
    signature: 'string(net.CIDR) -> string',
    call: ({ network }: NetworkValue) => formatNetwork(network),
  },
]

export const ADDRESSES: Library = {
  types: ['net.IP', 'net.CIDR'],
  get functions() {
    return functions()
  },
}
