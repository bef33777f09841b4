export { type DiagnoseOptions, type Diagnosis, diagnose } from './doctor/diagnose.js';
export type { DoctorStep, StepStatus } from './doctor/examination.js';
