/** The release of servers in tests that name none: its recordings cover most behavior. */
import type { Release } from '../../src/engine/releases/release'

export const TEST_RELEASE: Release = '1.31'
