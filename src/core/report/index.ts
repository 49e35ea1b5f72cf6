export type { Excerpt } from './excerpt.ts';
export { countLedgers, gauge, type Metric, metricsText, viewMetrics } from './metrics.ts';
export { nextAction } from './next-action.ts';
export { publicReport } from './public.ts';
export * from './report.ts';
export { makeReport, type ReportMaker, reportOf } from './report-of.ts';
