/** Builds the page that the tests in browsers open. */
import { buildPage } from './serve-page'

await buildPage()
