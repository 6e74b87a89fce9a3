/* kanon.h - publish data about people without giving anyone away.
 *
 * From simple to advanced:
 *   kanon/anonymize.h   read a table, anonymise it, publish it checked
 *   kanon/guarantee.h   check a table
 *   kanon/points.h      what to settle before a release is handed on
 *   kanon/io.h          read and write tables
 *   kanon/dataset.h     build a table in memory
 *   kanon/relations.h   related tables into tree records, and back
 *   kanon/arrow.h       tables from and to Arrow streams, in bulk
 *   kanon/schema.h      types, roles, missing values
 *   kanon/hierarchy.h   generalisation hierarchies
 *   kanon/measure.h     loss and risk
 *   kanon/profile.h     what a table is like before anything is done to it
 *   kanon/sampling.h    numbers of samples and what they show
 *   kanon/report.h      the result as JSON and HTML
 *   kanon/job.h         a whole call as JSON
 *   kanon/sweep.h       a job for many values of a parameter
 *   kanon/model.h       models: mined, judged, written, applied
 *   kanon/partial.h     check a table that is in several places: counts that merge
 *   kanon/params.h      what is peculiar to a method or a kind of model
 *   kanon/catalog.h     what there is
 *   kanon/run.h         threads, seed, progress
 *   kanon/memory.h      freeing what the library gives, limits on memory
 *
 * The library never prints, exits, reads the environment or touches the locale. */
#ifndef KANON_H
#define KANON_H

#include "kanon/anonymize.h"
#include "kanon/arrow.h"
#include "kanon/catalog.h"
#include "kanon/dataset.h"
#include "kanon/error.h"
#include "kanon/guarantee.h"
#include "kanon/hierarchy.h"
#include "kanon/io.h"
#include "kanon/job.h"
#include "kanon/measure.h"
#include "kanon/memory.h"
#include "kanon/model.h"
#include "kanon/params.h"
#include "kanon/partial.h"
#include "kanon/plan.h"
#include "kanon/points.h"
#include "kanon/profile.h"
#include "kanon/recoding.h"
#include "kanon/relations.h"
#include "kanon/report.h"
#include "kanon/run.h"
#include "kanon/sampling.h"
#include "kanon/schema.h"
#include "kanon/sweep.h"
#include "kanon/version.h"

#endif
