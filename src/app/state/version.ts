import type { Connection } from '../../hosts/page/connect'
import { BASE } from './base'
import { useUpdate } from './update'

/** Delay after the last response of the page's startup. */
const REST_MILLISECONDS = 3000
const LOOK_MILLISECONDS = 60 * 60 * 1000
const BUILD = /<meta name="build" content="([\w-]+)"/

/** Empty in development. */
const own = document.querySelector<HTMLMetaElement>('meta[name=build]')?.content ?? ''

let looked = Date.now()

/** Checks every hour and when a newer worker arrives. Caches this build when the page is idle. */
export function followVersions(connection: Connection): void {
  if (own === '') return
  setTimeout(() => atRest(() => connection.cachePage(own)), REST_MILLISECONDS)
  // A new worker of another tab may have removed chunks of this build.
  navigator.serviceWorker?.addEventListener('controllerchange', () => void look())
  void navigator.serviceWorker?.ready.then((registration) =>
    registration.addEventListener('updatefound', () => void look()),
  )
  addEventListener('vite:preloadError', () => void look())
  setInterval(() => void look(), LOOK_MILLISECONDS)
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && Date.now() - looked > LOOK_MILLISECONDS / 2) void look()
  })
}

async function look(): Promise<void> {
  looked = Date.now()
  try {
    const response = await fetch(BASE, { cache: 'no-cache' })
    const [, newest] = (response.ok && BUILD.exec(await response.text())) || []
    if (newest !== undefined && newest !== own) useUpdate.setState({ newer: true })
  } catch {
    // Offline: there is nothing to compare.
  }
}

/** Absent in some browsers. */
function atRest(run: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(run)
  else run()
}
