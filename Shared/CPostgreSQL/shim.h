// The declarations of libpq for Swift: non-blocking connections, and pipelines (PostgreSQL 15,
// chapter 34).
#ifndef CARILLON_CPOSTGRESQL_SHIM_H
#define CARILLON_CPOSTGRESQL_SHIM_H

#include <postgresql/libpq-fe.h>

#endif
