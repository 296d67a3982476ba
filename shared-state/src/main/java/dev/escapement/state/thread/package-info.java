/**
 * What both kinds of threads need, the one that ticks and those that draw: to wait for their end, and to keep why they failed.
 */
@NullMarked
package dev.escapement.state.thread;

import org.jspecify.annotations.NullMarked;
