/** A game on the module path: what it has to ask for. */
module game {
    requires dev.escapement.physics;
    requires dev.escapement.physics.jolt;
    requires jolt.jni.Linux64; // named after its file
}
