/* report/model_report.h - what was found of a model, for programs and for people. */
#ifndef KN_REPORT_MODEL_REPORT_H
#define KN_REPORT_MODEL_REPORT_H

#include "base/buffer.h"
#include "models/model.h"
#include "models/judge/verdict.h"

/** The report as a self-contained page, which the caller frees with kn__free. */
kn_status kn__model_report_html(const kn_model *m, const kn_model_verdict *v, char **out,
                                kn_error *err);

#endif
