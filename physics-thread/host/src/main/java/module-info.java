/**
 * Many worlds on few threads.
 *
 * <p>Start reading at {@link dev.escapement.physics.host.PhysicsHost}.
 */
module dev.escapement.physics.host {
    requires static transitive org.jspecify;
    requires transitive dev.escapement.physics;

    exports dev.escapement.physics.host;
}
