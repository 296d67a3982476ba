/**
 * What simulations around a physics engine share: bodies, contacts, dragging, native libraries.
 *
 * <p>Start reading at {@link dev.escapement.physics.world.WorldSimulation}.
 */
module dev.escapement.physics.worlds {
    requires static transitive org.jspecify;
    requires transitive dev.escapement.physics;

    exports dev.escapement.physics.contact;
    exports dev.escapement.physics.platform;
    exports dev.escapement.physics.query;
    exports dev.escapement.physics.world;
}
