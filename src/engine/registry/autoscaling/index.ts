/** Strategies of the kinds of group `autoscaling`. */
import type { Strategy } from '../strategy'

export const autoscalingStrategies: Record<string, Strategy> = {
  'autoscaling/HorizontalPodAutoscaler': { serverOwned: ['status'] },
}
