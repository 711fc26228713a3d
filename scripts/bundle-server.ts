/**
 * The first half of `npm run serve`: bundles the headless server. The second half is plain Node on the bundle, because a process that has
 * the TypeScript loader in it takes a third more memory, and answers up to twice as dear (measured).
 */
import { bundleNodeHost } from './bundle-host'

await bundleNodeHost()
