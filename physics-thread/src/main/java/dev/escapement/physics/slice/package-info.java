/**
 * The interface between a service and the threads that run its ticks: a thread of its own, or threads that many services share. For our own
 * modules.
 */
@NullMarked
package dev.escapement.physics.slice;

import org.jspecify.annotations.NullMarked;
