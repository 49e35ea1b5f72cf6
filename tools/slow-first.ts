import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, as `npm test` tells. Begun last, one of them would keep a single worker busy at the end. */
const slow = [
  'crash/matrix',
  'scenarios/simulation.',
  'cli/interrupts',
  'demo/demo',
  'finish/',
  'golden-home/',
];

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification): boolean => slow.some((part) => moduleId.includes(part));
    const sorted = await super.sort(files);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}
