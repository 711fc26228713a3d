/** The address of the service kubernetes, by the flags of the command line. */
import { networkInterfaces } from 'node:os'
import { expect, it } from 'vitest'
import { advertisedOf } from '../../src/hosts/node/advertised'
import { parseFlags } from '../../src/hosts/node/flags'

const advertised = (...flags: string[]) => advertisedOf(parseFlags(flags)).advertised

it('is --advertise-address, with the HTTPS port', () => {
  expect(advertised('--secure-port=6443', '--advertise-address=10.1.2.3')).toEqual({
    address: '10.1.2.3',
    port: 6443,
  })
  expect(
    advertised(
      '--secure-port=6443',
      '--advertise-address=10.1.2.3',
      '--endpoint-reconciler-type=master-count',
    ),
  ).toBeDefined()
})

it('defaults to a listen address that other hosts reach', () => {
  expect(advertised('--secure-port=6443', '--bind-address=192.168.7.7')).toEqual({
    address: '192.168.7.7',
    port: 6443,
  })
  const outside = Object.values(networkInterfaces()).flatMap((all) =>
    (all ?? []).filter(({ internal, family }) => !internal && family === 'IPv4'),
  )
  const every = advertised('--secure-port=6443', '--bind-address=0.0.0.0')?.address
  expect([...outside.map(({ address }) => address), undefined]).toContain(every)
})

it('is empty on loopback, without an HTTPS port, or without an endpoint reconciler', () => {
  expect(advertised('--secure-port=6443')).toBeUndefined()
  expect(advertised('--advertise-address=10.1.2.3')).toBeUndefined()
  expect(advertised('--secure-port=0', '--advertise-address=10.1.2.3')).toBeUndefined()
  expect(
    advertised(
      '--secure-port=6443',
      '--advertise-address=10.1.2.3',
      '--endpoint-reconciler-type=none',
    ),
  ).toBeUndefined()
})

it.each([
  [['--endpoint-reconciler-type=raft'], 'Reconciler not implemented: raft'],
  [
    ['--advertise-address=here'],
    'invalid argument "here" for "--advertise-address" flag: failed to parse IP: "here"',
  ],
  [
    ['--secure-port=6443', '--advertise-address=fd00::1'],
    'service IP family "10.96.0.0/16" must match public address family "fd00::1"',
  ],
])('%j is rejected', (flags, message) => {
  expect(() => advertised(...flags)).toThrow(message)
})
