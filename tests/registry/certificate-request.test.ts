import { describe, expect, it } from 'vitest'
import { readRequestSubject } from '../../src/engine/registry/rules/certificate-request'

/** CN=jane, O=developers, made with a public tool. */
const REQUEST =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIZk1JR0dBZ0VBTUNReEV6QVJCZ05WQkFvTUNtUmxkbVZzYjNCbGNuTXhEVEFMQmdOVkJBTU1CR3BoYm1VdwpXVEFUQmdjcWhrak9QUUlCQmdncWhrak9QUU1CQndOQ0FBUzl4eE12YUt3bGtCK0xIUm10SkVxZ0RLR0NRcnUrCjZuWXJnMWkxWXVHZGc1YW9WeXIvam1iUXZMRWI4S2ZyY0gzN3UvbnZBbHEwanlEM2NMamxhMmQwb0FBd0NnWUkKS29aSXpqMEVBd0lEU0FBd1JRSWdPZ3pIZ3ZubVIwWWhEQit5ZHFzV3BLby9HSExkMVZaczVldjFXYStIZ1dNQwpJUURIRy9zbWI1dXZZT2kySDd1aE9KdnJWUEtoR2taWFM3RENFZzJRWnIxZVhnPT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg=='

describe('the subject of a certificate request', () => {
  it('is read from its PEM block', () => {
    expect(readRequestSubject(REQUEST)).toEqual({ commonName: 'jane', organizations: ['developers'] })
  })

  it('is an error for anything else', () => {
    expect(() => readRequestSubject(btoa('hello'))).toThrow('PEM block type must be CERTIFICATE REQUEST')
    const cut = `-----BEGIN CERTIFICATE REQUEST-----\n${btoa('\x30\x82\xff')}\n-----END CERTIFICATE REQUEST-----\n`
    expect(() => readRequestSubject(btoa(cut))).toThrow('asn1: syntax error')
  })
})
