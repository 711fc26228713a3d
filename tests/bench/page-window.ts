declare global {
  /** What the scripts in the page record. */
  interface Window {
    sent: number
    leftOut: number
    interactions: { id: number; duration: number }[]
    frameTimes: number[]
    watching: boolean
    long: number[]
    tasks?: PerformanceObserver
  }
}

export {}
