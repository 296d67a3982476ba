package dev.escapement.physics.bullet;

import dev.escapement.physics.platform.Platform;
import dev.escapement.physics.platform.UnsupportedPlatformException;

/**
 * Where Libbulletjme keeps the native library of one platform.
 *
 * @param artifact the Maven artifact, whose classifier jar holds the library
 * @param resource the library's path within that jar
 */
record BulletLibrary(String artifact, String resource) {

    static BulletLibrary forPlatform(Platform platform) {
        return switch (platform.family() + ' ' + platform.architecture()) {
            case "linux amd64" -> of("Libbulletjme-Linux64", "linux/x86_64", "libbulletjme.so");
            case "linux aarch64" -> of("Libbulletjme-Linux_ARM64", "linux/arm64", "libbulletjme.so");
            case "windows amd64" -> of("Libbulletjme-Windows64", "windows/x86_64", "bulletjme.dll");
            case "windows aarch64" -> of("Libbulletjme-Windows_ARM64", "windows/arm64", "bulletjme.dll");
            case "macos amd64" -> of("Libbulletjme-MacOSX64", "osx/x86_64", "libbulletjme.dylib");
            case "macos aarch64" -> of("Libbulletjme-MacOSX_ARM64", "osx/arm64", "libbulletjme.dylib");
            default ->
                throw new UnsupportedPlatformException("Libbulletjme offers no native library of Bullet for " + platform
                        + ": use Linux, Windows or macOS on amd64 or aarch64");
        };
    }

    /** What a build has to depend on. */
    String coordinates(String version) {
        return "com.github.stephengold:" + artifact + ":" + version + ":SpRelease";
    }

    private static BulletLibrary of(String artifact, String folder, String file) {
        return new BulletLibrary(artifact, "/native/" + folder + "/" + file);
    }
}
